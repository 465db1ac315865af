# From help2man's page to one with the sections that readers of manual pages look for, and with
# paragraphs that begin at the margin of their section.
s/^\.SS "Exit status:"$/.SH "EXIT STATUS"/
s/^\.SS "See also:"$/.SH "SEE ALSO"/
s/^\.SS "\(.*\):"$/.SS "\1"/
s/^\.IP$/.PP/
/^\.S[HS] / {
  n
  /^\.[IP]P$/d
}

# Changes help2man's page: adds the usual sections of manual pages, and starts paragraphs at the
# margin of their section.
s/^\.SS "Exit status:"$/.SH "EXIT STATUS"/
s/^\.SS "See also:"$/.SH "SEE ALSO"/
s/^\.SS "\(.*\):"$/.SS "\1"/
s/^\.IP$/.PP/
/^\.S[HS] / {
  n
  /^\.[IP]P$/d
}

" Completes the last word of each text of FILES, at the end of a case whose subsection Contact/ground
" is open, and writes the words to MARKED.
set nocompatible
execute 'set runtimepath^=' . $RUNTIME
filetype plugin on
let s:marked = []
for s:text in split($FILES, "\n")
  enew!
  setfiletype percussion
  call setline(1, ['subsection Time', 'end # of time', 'subsection  Contact', 'subsection ground', s:text])
  call cursor(5, 1)
  startinsert!
  call cursor(5, len(s:text) + 1)
  set virtualedit=onemore
  call cursor(5, len(s:text) + 1)
  let s:start = call(&omnifunc, [1, ''])
  let s:words = call(&omnifunc, [0, strpart(s:text, s:start)])
  call add(s:marked, join(map(s:words, {_, w -> type(w) == v:t_dict ? w.word : w}), '|'))
endfor
call writefile(s:marked, $MARKED)
qall!

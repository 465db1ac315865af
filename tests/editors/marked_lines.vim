" Writes the numbers of the lines in which Vim shows an error, a line for each file: vim -S with the
" environment's FILES (one a line), RUNTIME (folders) and MARKED (file to write).
set nocompatible
execute 'set runtimepath^=' . $RUNTIME
filetype plugin on
syntax on
let s:marked = []
for s:file in split($FILES, "\n")
  execute 'edit ' . s:file
  let s:numbers = []
  for s:line in range(1, line('$'))
    let s:columns = filter(range(1, len(getline(s:line))),
          \ {_, c -> synIDattr(synIDtrans(synID(s:line, c, 0)), 'name') ==# 'Error'})
    if !empty(s:columns)
      call add(s:numbers, s:line)
    endif
  endfor
  call add(s:marked, join(s:numbers))
endfor
call writefile(s:marked, $MARKED)
qall!

" Completion of sections, entries and values in cases of Percussion by CTRL-X CTRL-O.

let s:set = '^\s*\%(set\|SET\)\s\+'
let s:subsection = '^\s*\%(subsection\|SUBSECTION\)\s\+'

" Returns the section of the reference at a line: the path of the open subsections, in which a
" name in angle brackets stands for names that a case chooses; {} if there is none.
function! s:section(line) abort
  let names = []
  for text in getline(1, a:line - 1)
    let text = substitute(text, '#.*', '', '')
    if text =~# s:subsection
      call add(names, join(split(text)[1:]))
    elseif text =~# '^\s*\%(end\|END\)\s*$' && !empty(names)
      call remove(names, -1)
    endif
  endfor
  let path = ''
  for name in names
    let below = get(g:percussion#reference#sections, path, {'subsections': []}).subsections
    let placeholders = filter(copy(below), 'v:val[0] ==# "<"')
    let name = index(below, name) < 0 && !empty(placeholders) ? placeholders[0] : name
    let path = empty(path) ? name : path . '/' . name
  endfor
  return get(g:percussion#reference#sections, path, {})
endfunction

" Returns the words that may stand at a position whose line begins with a text.
function! s:words(section, text) abort
  if a:text =~# s:set . '[^=]*=\s*$'
    let name = join(split(matchstr(a:text, s:set . '\zs[^=]*')))
    return get(get(a:section.entries, name, {}), 'choices', [])
  elseif a:text =~# s:set . '$'
    return map(sort(items(a:section.entries)), {_, entry ->
          \ {'word': entry[0] . ' = ', 'abbr': entry[0], 'menu': entry[1].allowed,
          \ 'info': entry[1].documentation}})
  elseif a:text =~# s:subsection . '$'
    return filter(copy(a:section.subsections), 'v:val[0] !=# "<"')
  endif
  return filter(['set ', 'subsection ', 'end', 'include '], 'v:val !=# "set " || !empty(a:section.entries)')
endfunction

" Completes the word before the cursor, as 'omnifunc' requires.
function! percussion#complete(findstart, base) abort
  let line = strpart(getline('.'), 0, col('.') - 1)
  let text = matchstr(line, s:set . '[^=]*=\s*\|' . s:set . '\|' . s:subsection . '\|^\s*')
  if a:findstart
    return len(text)
  endif
  let section = s:section(line('.'))
  let found = empty(section) ? [] : s:words(section, text)
  return filter(found, {_, word ->
        \ stridx(type(word) == v:t_dict ? word.word : word, a:base) == 0})
endfunction

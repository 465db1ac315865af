# Adds the documentation site as html/, without the reference of the API. Debian's policy (4.13) excludes
# copies of the theme and of KaTeX, which contain fonts and scripts of other packages: links lead to the
# files of the recommended packages, and to the pictures of the package itself.

# link_folder(html, name, target): replaces html/name by a relative link to an installed folder.
function(link_folder html name target)
  file(RELATIVE_PATH path /usr/share/doc/percussion/html ${target})
  file(REMOVE_RECURSE ${html}/${name})
  file(CREATE_LINK ${path} ${html}/${name} SYMBOLIC)
endfunction()

# add_pages(documentation): makes the site and adds it to the staged folder of the documentation.
function(add_pages documentation)
  set(site ${CPACK_TEMPORARY_DIRECTORY}/site)
  execute_process(COMMAND_ERROR_IS_FATAL ANY
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1
      ${CPACK_PERCUSSION_SOURCE_DIR}/doc/site/collect_pages.py ${CPACK_PERCUSSION_SOURCE_DIR} ${site}
      --katex ${CPACK_PERCUSSION_KATEX_DIR})
  execute_process(COMMAND_ERROR_IS_FATAL ANY
    COMMAND ${CPACK_PERCUSSION_MKDOCS_PROGRAM} build --quiet --config-file ${site}/mkdocs.yml)
  file(RENAME ${site}/html ${documentation}/html)
  file(REMOVE_RECURSE ${site})
  file(REMOVE ${documentation}/html/sitemap.xml ${documentation}/html/sitemap.xml.gz) # for search engines
  link_folder(${documentation}/html assets ${CPACK_PERCUSSION_MATERIAL_DIR}/assets)
  link_folder(${documentation}/html katex ${CPACK_PERCUSSION_KATEX_DIR})
  link_folder(${documentation}/html pictures /usr/share/doc/percussion/doc/pictures)
endfunction()

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documentsBuild } from '../launch/builds.mjs'
import { makeFolder } from '../launch/make-folder.ts'
import { printInterfaceDocuments } from '../printers/interfaces/interface-documents.ts'
import { readNamedSchemas } from '../printers/named-schemas.ts'
import { printOpenapi } from '../printers/openapi.ts'
import { printReference } from '../printers/reference.ts'

/** Prints the documents of the contract that the server sends, so that no server prints them. */
await makeFolder(join(import.meta.dirname, '..', '..'), documentsBuild, async (folder) => {
  const namedSchemas = await readNamedSchemas()
  const pages = printReference(namedSchemas)
  await Promise.all(['reference', 'openapi'].map((name) => mkdir(join(folder, name))))
  await Promise.all([
    writeFile(join(folder, 'openapi.json'), printOpenapi(namedSchemas)),
    ...[...printInterfaceDocuments(namedSchemas)].map(([name, text]) =>
      writeFile(join(folder, 'openapi', `${name}.json`), text),
    ),
    ...[...pages].map(([name, text]) => writeFile(join(folder, 'reference', `${name}.html`), text)),
  ])
})

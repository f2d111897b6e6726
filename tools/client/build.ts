import { cp, copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clientBuild } from '../launch/builds.mjs'
import { makeFolder } from '../launch/make-folder.ts'
import { printClientTypes } from '../printers/client-types.ts'
import { readNamedSchemas } from '../printers/named-schemas.ts'
import { bundleModules, emitDeclarations, measureBundle } from './compile.ts'
import {
  clientRoot,
  createPublishedManifest,
  listEntryPoints,
  max_gzip_bytes,
  type SourceManifest,
} from './published-package.ts'

/** Builds the package of the client: `npm pack packages/client/dist` makes its tarball. */
await makeFolder(join(clientRoot, '../..'), clientBuild, async (folder) => {
  const manifest = JSON.parse(await readFile(join(clientRoot, 'package.json'), 'utf8')) as SourceManifest
  const sources = await copySources()
  try {
    await bundleModules(listEntryPoints(sources), Object.keys(manifest.dependencies), folder)
    await emitDeclarations(sources, folder)
  } finally {
    await rm(sources, { recursive: true, force: true })
  }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(createPublishedManifest(manifest), null, 2)}\n`)
  await copyFile(join(clientRoot, 'README.md'), join(folder, 'README.md'))
  const size = await measureBundle(join(folder, 'index.js'))
  console.log(`@swath/client is ${size} bytes, minified and compressed; at most ${max_gzip_bytes} are allowed.`)
  if (size > max_gzip_bytes) throw new Error('The package is too large for web pages: move what few need out of ".".')
})

/** Copies the sources without tests, and with the published form of the types of operations. */
async function copySources(): Promise<string> {
  const sources = join(clientRoot, 'dist-sources')
  await rm(sources, { recursive: true, force: true })
  await cp(join(clientRoot, 'src'), sources, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
  const types = printClientTypes(await readNamedSchemas(), { isPublished: true })
  await writeFile(join(sources, 'operations.ts'), types)
  return sources
}

import { build, type Plugin } from 'esbuild'
import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cliBuild } from '../launch/builds.mjs'
import { makeFolder } from '../launch/make-folder.ts'
import { printCommandTable } from '../printers/command-table.ts'

const root = join(import.meta.dirname, '..', '..')
const source = join(root, 'packages/cli')

/** The bundle has the table of commands in itself, and the verifiers of tools/ are not programs in it. */
const bundledFiles: Plugin = {
  name: 'bundled-files',
  setup({ onLoad }) {
    onLoad({ filter: /operations\/table-file\.ts$/ }, () => ({
      contents: `export const readTableText = () => ${JSON.stringify(printCommandTable())}`,
    }))
    onLoad({ filter: /tools\/verify-(ledger|receipt)\.mjs$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', "''"),
    }))
  },
}

/** CommonJS packages of the bundle call `require` for modules of Node. */
const banner = `#!/usr/bin/env node
import { createRequire as createBundleRequire } from 'node:module'
const require = createBundleRequire(import.meta.url)`

/** The manifest of the package that is packed: everything is in one file, besides the keychain, which is native code. */
function printManifest({ name, version, optionalDependencies }: Record<string, unknown>): string {
  const manifest = {
    name,
    version,
    description: 'The command line of Swath: search, price, buy, download and process satellite imagery.',
    license: 'UNLICENSED',
    type: 'module',
    bin: { swath: 'swath.mjs' },
    files: ['swath.mjs', 'README.md'],
    engines: { node: '>=20.12' },
    optionalDependencies,
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

await makeFolder(root, cliBuild, async (folder) => {
  const file = join(folder, 'swath.mjs')
  await build({
    entryPoints: [join(source, 'src/main.ts')],
    absWorkingDir: root,
    outfile: file,
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['@napi-rs/keyring'],
    banner: { js: banner },
    plugins: [bundledFiles],
    legalComments: 'eof',
    logLevel: 'warning',
  })
  await chmod(file, 0o755)
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Record<string, unknown>
  await writeFile(join(folder, 'package.json'), printManifest(manifest))
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'))
})

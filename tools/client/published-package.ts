import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the workspace of the client. */
export const clientRoot = join(import.meta.dirname, '..', '..', 'packages', 'client')

/** Of what a web page has to load that uses all of the package. */
export const max_gzip_bytes = 15_360

/** The modules that programs may import, by the name of their file. */
const entryPoints = {
  index: 'index.ts',
  transfer: 'transfer/transfer.ts',
  wait: 'wait/wait.ts',
  node: 'node/index.ts',
  webhooks: 'webhooks/index.ts',
  tiles: 'tiles/index.ts',
  stac: 'stac/stac-item.ts',
}

/** The entry points that exist, by the name of their file, with their paths. */
export const listEntryPoints = (sources: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(entryPoints)
      .map(([name, path]) => [name, join(sources, path)] as const)
      .filter(([, path]) => existsSync(path)),
  )

/** The parts of the workspace's package.json that the published one has, too. */
export interface SourceManifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

const toExport = ([name, path]: [string, string]) => [
  name === 'index' ? '.' : `./${name}`,
  { types: `./types/${path.replace(/\.ts$/, '.d.ts')}`, default: `./${name}.js` },
]

/** The package.json of the published package, whose root is the folder of the build. */
export const createPublishedManifest = ({ version, dependencies }: SourceManifest) => ({
  name: '@swath/client',
  version,
  description: 'Client of the Swath satellite-imagery platform: typed operations, retries, paging, streams.',
  license: 'UNLICENSED',
  type: 'module',
  engines: { node: '>=20.3' },
  sideEffects: false,
  files: ['*.js', 'types/**/*.d.ts'],
  types: './types/index.d.ts',
  exports: {
    ...Object.fromEntries(
      Object.entries(entryPoints)
        .filter(([, path]) => existsSync(join(clientRoot, 'src', path)))
        .map(toExport),
    ),
    './package.json': './package.json',
  },
  dependencies,
})

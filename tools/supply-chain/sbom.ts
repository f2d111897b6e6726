import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '../command.ts'
import { listLockedPackages, type LockedPackage, type Lockfile } from './packages.ts'

const root = join(import.meta.dirname, '..', '..')

const usage = `usage: npm run sbom                 prints a bill of materials (CycloneDX 1.6) of what the server runs with
       npm run sbom -- --dev        the same with the tools of development
       npm run sbom -- --licences   prints the packages by licence`

/** Base64 of the lockfile as the hexadecimal digits of CycloneDX. */
function toHashes(integrity: string | null): { readonly alg: string; readonly content: string }[] {
  const [, bits, digest] = /^sha(\d+)-(.+)$/.exec(integrity ?? '') ?? []
  return bits && digest ? [{ alg: `SHA-${bits}`, content: Buffer.from(digest, 'base64').toString('hex') }] : []
}

/** The package URL of a package in the registry of npm. */
const toPackageUrl = ({ name, version }: LockedPackage): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

const toLicences = (license: string | null): object[] => {
  if (license === null) return []
  return license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }]
}

/** A bill of materials in CycloneDX 1.6. It has no time and no random number, so equal lockfiles print equal documents. */
export const createBillOfMaterials = (version: string, packages: readonly LockedPackage[]): object => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component: { type: 'application', 'bom-ref': 'swath', name: 'swath', version } },
  components: packages.map((one) => ({
    type: 'library',
    'bom-ref': toPackageUrl(one),
    name: one.name,
    version: one.version,
    scope: one.dev ? 'excluded' : 'required',
    licenses: toLicences(one.license),
    purl: toPackageUrl(one),
    hashes: toHashes(one.integrity),
  })),
})

/** The names of packages by licence, one licence a paragraph. */
export function printLicences(packages: readonly LockedPackage[]): string {
  const byLicence = Map.groupBy(packages, ({ license }) => license ?? 'none declared')
  return [...byLicence]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([licence, rows]) => `${licence}: ${rows.map(({ name, version }) => `${name} ${version}`).join(', ')}`)
    .join('\n\n')
}

async function main(options: readonly string[]): Promise<number> {
  if (options.some((option) => option !== '--dev' && option !== '--licences')) {
    console.error(usage)
    return 2
  }
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(root, name), 'utf8'))
  const { version } = (await read('package.json')) as { version: string }
  const all = listLockedPackages((await read('package-lock.json')) as Lockfile)
  const packages = options.includes('--dev') ? all : all.filter(({ dev }) => !dev)
  console.log(
    options.includes('--licences')
      ? printLicences(packages)
      : JSON.stringify(createBillOfMaterials(version, packages), null, 2),
  )
  return 0
}

if (process.argv[1] === import.meta.filename) await runCommand(main)

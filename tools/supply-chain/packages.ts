/** A package of the lockfile. */
export interface LockedPackage {
  readonly name: string
  readonly version: string
  /** An SPDX expression; null if the package declares none. */
  readonly license: string | null
  /** Base64, with its algorithm: `sha512-…`. */
  readonly integrity: string | null
  /** True if only development needs it. */
  readonly dev: boolean
  readonly hasInstallScript: boolean
}

interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockEntry>>
}

const folder = 'node_modules/'

/** The packages of a lockfile by name and version, each once, without the workspaces. */
export function listLockedPackages({ packages }: Lockfile): LockedPackage[] {
  const found = new Map<string, LockedPackage>()
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes(folder) || entry.link) continue
    const name = entry.name ?? path.slice(path.lastIndexOf(folder) + folder.length)
    const { version = '', license = null, integrity = null, dev = false, hasInstallScript = false } = entry
    const known = found.get(`${name}@${version}`)
    found.set(`${name}@${version}`, {
      name,
      version,
      license,
      integrity,
      dev: dev && (known?.dev ?? true),
      hasInstallScript,
    })
  }
  return [...found.values()].toSorted((one, other) =>
    `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1,
  )
}

/** Licences that permit use and distribution beside code under any other licence. */
export const permissiveLicences: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])

const fontLicence = { licence: 'OFL-1.1', reason: 'a font; its licence permits parts of it in documents' } as const

/** The typefaces of reports have one licence: Noto of all scripts, and Vazirmatn. */
const isFontOfReports = (name: string): boolean => /^@fontsource(?:-variable)?\/(?:noto-|vazirmatn$)/.test(name)

/** Packages with another licence, or none declared, by name, with the reason why they may be used. */
export const otherLicences: Readonly<Record<string, { readonly licence: string | null; readonly reason: string }>> = {
  '@fontsource-variable/inter': { licence: 'OFL-1.1', reason: 'a font, distributed as it is with its licence' },
  '@jmespath-community/jmespath': { licence: 'MPL-2.0', reason: 'of files: used unchanged, in the command line' },
  argparse: { licence: 'Python-2.0', reason: 'permissive, of the original in Python' },
  'axe-core': { licence: 'MPL-2.0', reason: 'of files: used unchanged, in tests' },
  lightningcss: { licence: 'MPL-2.0', reason: 'of files: used unchanged, to build the console' },
  pako: { licence: '(MIT AND Zlib)', reason: 'both are permissive' },
  'png-js': { licence: null, reason: 'its file LICENSE has the text of MIT; an old package.json' },
}

const isPermissive = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((licence) => permissiveLicences.has(licence))

const exceptionOf = (name: string): { readonly licence: string | null } | undefined =>
  isFontOfReports(name)
    ? fontLicence
    : (otherLicences[name] ?? otherLicences[name.replace(/-(?:android|darwin|freebsd|linux|win32)-.*$/, '')])

/** Lists the packages that are not approved: with an unreviewed licence, or an install script that no list allows. */
export function findSupplyFaults(
  packages: readonly LockedPackage[],
  allowScripts: Readonly<Record<string, boolean>>,
): string[] {
  return packages.flatMap(({ name, version, license, integrity, hasInstallScript }) => [
    ...((license !== null && isPermissive(license)) || exceptionOf(name)?.licence === license
      ? []
      : [
          `${name}@${version} has the licence ${license ?? 'of nobody knows'}: add it to otherLicences with the reason, or replace it`,
        ]),
    ...(hasInstallScript && !(name in allowScripts)
      ? [`${name}@${version} has an install script: permit or deny it in allowScripts of package.json`]
      : []),
    ...(integrity === null ? [`${name}@${version} has no checksum in the lockfile`] : []),
  ])
}

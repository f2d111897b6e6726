import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { contractVersion } from '../packages/contract/src/version.ts'
import { surfacePath } from './printers/contract-surface.ts'
import { runCommand } from './command.ts'

const usage = `usage: npm run release -- <version>  adds the checked-out commit to deploy/releases.json`

const releasesPath = 'deploy/releases.json'

/** A released commit, from which comparisons of the contract and tests of updates start. */
interface Release {
  readonly version: string
  readonly commit: string
  readonly released_on: string
  readonly contract_version: string
  /** Of docs/contract-surface.txt. */
  readonly contract_surface_sha256: string
  readonly last_migration: string
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()

async function describeCommit(version: string): Promise<Release> {
  const migrations = (await readdir('packages/server/migrations')).filter((name) => name.endsWith('.sql'))
  return {
    version,
    commit: git('rev-parse', 'HEAD'),
    released_on: git('show', '--no-patch', '--format=%cs', 'HEAD'),
    contract_version: contractVersion,
    contract_surface_sha256: createHash('sha256')
      .update(await readFile(surfacePath))
      .digest('hex'),
    last_migration: migrations.toSorted().at(-1)!.slice(0, 4),
  }
}

await runCommand(async ([version]) => {
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
    console.error(usage)
    return 1
  }
  const releases = JSON.parse(await readFile(releasesPath, 'utf8')) as Release[]
  if (git('status', '--porcelain') !== '') throw new Error('Commit first: a release is a commit.')
  if (releases.some((release) => release.version === version)) throw new Error(`${version} is released already.`)
  const release = await describeCommit(version)
  await writeFile(releasesPath, `${JSON.stringify([...releases, release], null, 2)}\n`)
  console.log(`${version} is ${release.commit}; commit ${releasesPath}`)
  return 0
})

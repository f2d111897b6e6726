import { execFileSync } from 'node:child_process'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { contractVersion } from '../../packages/contract/src/version.ts'
import { runCommand } from '../command.ts'
import { surfacePath } from '../printers/contract-surface.ts'
import { readNamedSchemas } from '../printers/named-schemas.ts'
import { printOpenapi } from '../printers/openapi.ts'
import { documentPath, hashText, readReleases, releasesPath, type Release } from './releases.ts'

const usage = `usage: npm run release -- <version>  adds the checked-out commit to deploy/releases.json`

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()

async function describeCommit(version: string, document: string): Promise<Release> {
  const migrations = (await readdir('packages/server/migrations')).filter((name) => name.endsWith('.sql'))
  return {
    version,
    commit: git('rev-parse', 'HEAD'),
    released_on: git('show', '--no-patch', '--format=%cs', 'HEAD'),
    contract_version: contractVersion,
    contract_surface_sha256: hashText(await readFile(surfacePath)),
    openapi_sha256: hashText(document),
    last_migration: migrations.toSorted().at(-1)!.slice(0, 4),
  }
}

await runCommand(async ([version]) => {
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
    console.error(usage)
    return 1
  }
  const releases = await readReleases()
  if (git('status', '--porcelain') !== '') throw new Error('Commit first: a release is a commit.')
  if (releases.some((release) => release.version === version)) throw new Error(`${version} is released already.`)
  const document = printOpenapi(await readNamedSchemas())
  const release = await describeCommit(version, document)
  const path = documentPath(version)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, gzipSync(document, { level: 9 }))
  await writeFile(releasesPath, `${JSON.stringify([...releases, release], null, 2)}\n`)
  console.log(`${version} is ${release.commit}; commit ${releasesPath} and ${path}`)
  return 0
})

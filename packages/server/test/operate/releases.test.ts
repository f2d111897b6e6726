import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { contractVersion } from '@swath/contract/version.ts'

const toNumbers = (version: string): number[] => version.split('.').map(Number)

/** Negative if the first version is lower. */
const compareVersions = (left: string, right: string): number => {
  const [a, b] = [toNumbers(left), toNumbers(right)]
  return a.map((part, at) => part - b[at]!).find((difference) => difference !== 0) ?? 0
}

test('releases rise, each with its commit and the contract and migrations that it had', async () => {
  const releases = JSON.parse(await readFile('deploy/releases.json', 'utf8')) as Record<string, string>[]
  const migrations = (await readdir('packages/server/migrations')).filter((name) => name.endsWith('.sql'))
  assert.ok(releases.length > 0)
  for (const [at, release] of releases.entries()) {
    const before = releases[at - 1]
    if (before) assert.ok(compareVersions(before['version']!, release['version']!) < 0, release['version'])
    assert.match(release['commit']!, /^[0-9a-f]{40}$/)
    for (const name of ['contract_surface_sha256', 'openapi_sha256']) assert.match(release[name]!, /^[0-9a-f]{64}$/)
    assert.match(release['released_on']!, /^\d{4}-\d{2}-\d{2}$/)
    assert.ok(compareVersions(release['contract_version']!, contractVersion) <= 0)
    assert.ok(migrations.some((name) => name.startsWith(`${release['last_migration']}_`)))
  }
})

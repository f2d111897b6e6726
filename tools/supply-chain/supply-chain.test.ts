import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { findSupplyFaults, listLockedPackages, otherLicences, type Lockfile } from './packages.ts'
import { createBillOfMaterials, printLicences } from './sbom.ts'

const root = join(import.meta.dirname, '..', '..')
const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(root, name), 'utf8'))

const lockfile = (packages: Lockfile['packages']): Lockfile => ({ packages })
const sample = lockfile({
  '': {},
  'packages/geo': { version: '0.1.0' },
  'node_modules/@swath/geo': { link: true },
  'node_modules/a': { version: '1.0.0', license: 'MIT', integrity: 'sha512-AAEC', dev: true },
  'node_modules/b/node_modules/a': { version: '1.0.0', license: 'MIT', integrity: 'sha512-AAEC' },
  'node_modules/@s/c': { version: '2.0.0', license: '(GPL-3.0 OR ISC)', integrity: 'sha512-AAEC' },
})

test('every package has a reviewed licence, a checksum, and no install script without an entry in allowScripts', async () => {
  const packages = listLockedPackages((await read('package-lock.json')) as Lockfile)
  const { allowScripts } = (await read('package.json')) as { allowScripts: Record<string, boolean> }
  assert.ok(packages.length > 300)
  assert.deepEqual(findSupplyFaults(packages, allowScripts), [])
  const names = new Set(packages.map(({ name }) => name))
  for (const name of [...Object.keys(otherLicences), ...Object.keys(allowScripts)])
    assert.ok(names.has(name), `${name} is no longer installed: remove its exception`)
})

test('packages are listed once, without workspaces; one that the server needs too is no development package', () => {
  assert.deepEqual(
    listLockedPackages(sample).map(({ name, dev }) => [name, dev]),
    [
      ['@s/c', false],
      ['a', false],
    ],
  )
})

test('an unknown licence, an unnamed install script and a missing checksum are faults', () => {
  const packages = listLockedPackages(
    lockfile({
      'node_modules/x': { version: '1.0.0', license: 'GPL-3.0', integrity: 'sha512-AAEC' },
      'node_modules/y': { version: '1.0.0', license: 'MIT', hasInstallScript: true },
      'node_modules/z': { version: '1.0.0', license: 'ISC', integrity: 'sha512-AAEC', hasInstallScript: true },
    }),
  )
  const faults = findSupplyFaults(packages, { z: false })
  assert.equal(faults.length, 3)
  assert.match(faults[0]!, /^x@1\.0\.0 has the licence GPL-3\.0/)
  assert.match(faults[1]!, /^y@1\.0\.0 has an install script/)
  assert.match(faults[2]!, /^y@1\.0\.0 has no checksum/)
})

test('the bill of materials names packages by URL and checksum, and is the same each time', () => {
  const packages = listLockedPackages(sample)
  const bill = createBillOfMaterials('1.2.3', packages) as { components: Record<string, unknown>[] }
  assert.deepEqual(bill.components[0], {
    type: 'library',
    'bom-ref': 'pkg:npm/%40s/c@2.0.0',
    name: '@s/c',
    version: '2.0.0',
    scope: 'required',
    licenses: [{ expression: '(GPL-3.0 OR ISC)' }],
    purl: 'pkg:npm/%40s/c@2.0.0',
    hashes: [{ alg: 'SHA-512', content: '000102' }],
  })
  assert.deepEqual(createBillOfMaterials('1.2.3', packages), bill)
  assert.equal(printLicences(packages), '(GPL-3.0 OR ISC): @s/c 2.0.0\n\nMIT: a 1.0.0')
})

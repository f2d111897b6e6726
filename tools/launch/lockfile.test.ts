import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRequiredPackages, readLockedPackages, serverWorkspaces } from './lockfile.mjs'
import { explainMissingNode, pinnedNodePackage, root } from './node.mjs'

const locked = readLockedPackages(root)

const machines = [
  { platform: 'linux', arch: 'x64', hasNode: true },
  { platform: 'linux', arch: 'arm64', hasNode: true },
  { platform: 'darwin', arch: 'x64', hasNode: false },
  { platform: 'darwin', arch: 'arm64', hasNode: false },
  { platform: 'win32', arch: 'x64', hasNode: true },
  { platform: 'win32', arch: 'arm64', hasNode: false },
] as const

test('on every kind of machine the lockfile has the pinned Node with its checksum, or a sentence says what to install', () => {
  for (const { platform, arch, hasNode } of machines) {
    const entry = locked[`node_modules/${pinnedNodePackage(platform, arch)}`]
    const sentence = explainMissingNode(locked, { platform, arch, version: '20.20.2' })
    if (hasNode) {
      assert.equal(sentence, null, `${platform} ${arch}`)
      assert.deepEqual(
        [entry?.optional, entry?.os, entry?.cpu, entry?.integrity?.slice(0, 7)],
        [true, platform, arch, 'sha512-'],
      )
    } else {
      assert.equal(entry, undefined)
      assert.match(
        sentence!,
        new RegExp(`^Swath needs Node 24 or later, and this is Node 20\\.20\\.2\\..* ${platform} on ${arch}: `),
      )
      assert.match(sentence!, /install Node 24 from https:\/\/nodejs\.org and run the command again\.$/)
    }
    for (const version of ['24.0.0', '26.10.0'])
      assert.equal(explainMissingNode(locked, { platform, arch, version }), null)
  }
})

const sameKind = (wanted: string | readonly string[] | undefined, own: string): boolean =>
  wanted === undefined || [wanted].flat().includes(own)

test('every package with builds for kinds of machines has one for each, and no package downloads anything itself', () => {
  // Those whose builds the server or the build of the console loads; a package of WebAssembly needs none.
  const families = ['@esbuild/', '@rolldown/binding-', 'lightningcss-']
  for (const { platform, arch } of machines) {
    for (const family of families) {
      const builds = Object.entries(locked).filter(
        ([path, entry]) =>
          path.startsWith(`node_modules/${family}`) &&
          sameKind(entry.os, platform) &&
          sameKind(entry.cpu, arch) &&
          entry.os,
      )
      assert.ok(builds.length > 0, `${family} for ${platform} ${arch}`)
      for (const [path, { integrity }] of builds) assert.match(integrity ?? '', /^sha512-/, path)
    }
  }
})

test('the server needs neither packages of development nor those that build the console, nor a compiler', () => {
  const required = listRequiredPackages(locked, serverWorkspaces)
  assert.ok(required.includes('node_modules/fastify'))
  assert.ok(required.includes('node_modules/esbuild'), 'the launcher bundles with it')
  for (const name of ['react', 'vite', 'maplibre-gl', 'lucide-react', 'typescript', 'oxlint', 'cmake-js', 'tar'])
    assert.ok(!required.includes(`node_modules/${name}`), name)
  for (const path of required) assert.ok(!locked[path]!.dev, path)
})

test('a required package is found as Node finds it: in the folder of its user first', () => {
  const packages = {
    'packages/a': { dependencies: { b: '1.0.0' } },
    'node_modules/a': { link: true, resolved: 'packages/a' },
    'node_modules/b': { dependencies: { c: '2.0.0' }, peerDependencies: { absent: '*' } },
    'node_modules/b/node_modules/c': {},
    'node_modules/c': {},
    'node_modules/unused': {},
  }
  assert.deepEqual(listRequiredPackages(packages, ['packages/a']), ['node_modules/b', 'node_modules/b/node_modules/c'])
})

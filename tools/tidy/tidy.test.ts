import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { generatedPatterns, listFolders, longFiles, pageBudgets, tablePatterns, unreachedFiles } from './budgets.ts'
import { longTrees, writeLongTree } from './long-trees.ts'
import { lintRules, tidyRules } from './rules.ts'
import { readTree, type TidyFinding } from './tree.ts'

const root = join(import.meta.dirname, '..', '..')
const brokenFolder = mkdtempSync(join(tmpdir(), 'swath-broken-'))
before(() => {
  cpSync(join(import.meta.dirname, 'broken'), brokenFolder, { recursive: true })
  for (const [name, tree] of Object.entries(longTrees)) writeLongTree(join(brokenFolder, name), tree)
})
after(() => rmSync(brokenFolder, { recursive: true }))

const formatFindings = (findings: readonly TidyFinding[]): string[] =>
  findings.map(({ file, message }) => `${file}: ${message}`).sort()

/** Imported dynamically, so that an error in the contract fails one test and not the file. */
async function readOperations(): Promise<string[]> {
  const contract = await import('../../packages/contract/src/registry.ts')
  return contract.operationRegistry.map(({ id }) => id)
}

/** A counter-example tree may contain a registry of its own. */
function readBrokenOperations(folder: string): string[] {
  const file = join(folder, 'operations.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : []
}

test('the repository conforms to every architecture rule', async (context) => {
  const tree = readTree(root, await readOperations())
  for (const rule of tidyRules) {
    await context.test(`${rule.name}: ${rule.reason}`, () => {
      assert.deepEqual(formatFindings(rule.check(tree)), [])
    })
  }
})

test('each rule reports exactly the expected findings for its counter-example tree', async (context) => {
  for (const rule of tidyRules) {
    await context.test(rule.name, () => {
      const folder = join(brokenFolder, rule.name)
      const expected = readFileSync(join(folder, 'expected.txt'), 'utf8').trim().split('\n').sort()
      assert.ok(expected[0], 'a counter-example tree lists its expected findings')
      assert.deepEqual(formatFindings(rule.check(readTree(folder, readBrokenOperations(folder)))), expected)
    })
  }
})

test('every counter-example tree has a rule', () => {
  const ruleNames = new Set([...tidyRules.map((rule) => rule.name), ...lintRules.map((rule) => `lint-${rule.name}`)])
  assert.deepEqual(new Set(readdirSync(brokenFolder)), ruleNames)
})

test('CONTRIBUTING.md explains every rule once, and no other', () => {
  const section = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('\n| Rule | ')[1]!.split('\n\n')[0]!
  const rows = section.split('\n').slice(2)
  const named = rows.flatMap((row) => row.split('|')[1]!.trim().split(', '))
  assert.deepEqual(named.toSorted(), tidyRules.map((rule) => rule.name).toSorted())
})

test('the linter rejects its counter-example trees', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-lint-'))
  context.after(() => rmSync(folder, { recursive: true }))
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  for (const { name, rule } of lintRules) {
    await context.test(name, () => {
      cpSync(join(brokenFolder, `lint-${name}`), join(folder, name), { recursive: true })
      const result = spawnSync(join(root, 'node_modules', '.bin', 'oxlint'), [name], { cwd: folder, encoding: 'utf8' })
      assert.equal(result.status, 1)
      assert.ok(result.stdout.includes(rule), `expected ${rule} in:\n${result.stdout}`)
    })
  }
})

test('every file named in an exception exists', () => {
  const missingFiles = [...Object.keys(longFiles), ...Object.keys(unreachedFiles)].filter(
    (path) => !existsSync(join(root, path)),
  )
  assert.deepEqual(missingFiles, [])
})

test('every pattern of the budgets matches a file or a folder', () => {
  const { files } = readTree(root, [])
  const folders = new Set([...files.keys()].map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))
  const patterns = [...tablePatterns, ...generatedPatterns, ...pageBudgets.map(([pattern]) => pattern)]
  const unusedPatterns = [
    ...patterns.filter((pattern) => ![...files.keys()].some((path) => pattern.test(path))),
    ...listFolders.filter((pattern) => ![...folders].some((path) => pattern.test(path))),
  ]
  assert.deepEqual(unusedPatterns, [])
})

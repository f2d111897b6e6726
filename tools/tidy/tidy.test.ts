import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { longer, waiting } from './budgets.ts'
import { lintRules, rules } from './rules.ts'
import { readTree, type Finding, type OperationFact } from './tree.ts'

const root = join(import.meta.dirname, '..', '..')
const brokenFolder = join(import.meta.dirname, 'broken')
const sentences = (findings: readonly Finding[]): string[] =>
  findings.map(({ file, says }) => `${file}: ${says}`).sort()

/** Imported dynamically, so that an error in the contract fails one test and not the file. */
async function registeredOperations(): Promise<OperationFact[]> {
  const contract = await import('../../packages/contract/src/registry.ts')
  return contract.registry.map(({ id, answered }) => ({ id, answered }))
}

/** A counter-example tree may contain a registry of its own. */
function brokenOperations(folder: string): OperationFact[] {
  const file = join(folder, 'operations.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as OperationFact[]) : []
}

test('the repository conforms to every architecture rule', async (context) => {
  const tree = readTree(root, await registeredOperations())
  for (const rule of rules) {
    await context.test(`${rule.name}: ${rule.why}`, () => {
      assert.deepEqual(sentences(rule.check(tree)), [])
    })
  }
})

test('each rule reports exactly the expected findings for its counter-example tree', async (context) => {
  for (const rule of rules) {
    await context.test(rule.name, () => {
      const folder = join(brokenFolder, rule.name)
      const expected = readFileSync(join(folder, 'expected.txt'), 'utf8').trim().split('\n').sort()
      assert.ok(expected[0], 'a counter-example tree lists its expected findings')
      assert.deepEqual(sentences(rule.check(readTree(folder, brokenOperations(folder)))), expected)
    })
  }
})

test('every counter-example tree has a rule', () => {
  const known = new Set([...rules.map((rule) => rule.name), ...lintRules.map((rule) => `lint-${rule.name}`)])
  assert.deepEqual(new Set(readdirSync(brokenFolder)), known)
})

test('the linter rejects its counter-example trees', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-lint-'))
  context.after(() => rmSync(folder, { recursive: true }))
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  for (const { name, rule } of lintRules) {
    await context.test(name, () => {
      cpSync(join(brokenFolder, `lint-${name}`), join(folder, name), { recursive: true })
      const said = spawnSync(join(root, 'node_modules', '.bin', 'oxlint'), [name], { cwd: folder, encoding: 'utf8' })
      assert.equal(said.status, 1)
      assert.ok(said.stdout.includes(rule), `expected ${rule} in:\n${said.stdout}`)
    })
  }
})

test('every file named in an exception exists', () => {
  const gone = [...Object.keys(longer), ...Object.keys(waiting)].filter((path) => !existsSync(join(root, path)))
  assert.deepEqual(gone, [])
})

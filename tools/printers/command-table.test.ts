import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationRegistry } from '../../packages/contract/src/registry.ts'
import { comfortSummaries } from '../../packages/cli/src/commands/comfort-summaries.ts'
import { toFlagName } from '../../packages/cli/src/operations/flags.ts'
import { printExample } from '../../packages/cli/src/operations/operation-command.ts'
import {
  findOperationByWords,
  readOperationTable,
  toCommandWords,
} from '../../packages/cli/src/operations/operation-table.ts'
import { printCommandTable } from './command-table.ts'

const table = readOperationTable(printCommandTable())

test('every operation is a command, and its words lead back to it', () => {
  assert.deepEqual(table.ids, operationRegistry.map(({ id }) => id).toSorted())
  for (const id of table.ids) assert.equal(findOperationByWords(table, toCommandWords(id))?.id, id)
})

test('every member of an input is a flag of its own with the name that the contract gives it', () => {
  for (const { id, input } of operationRegistry) {
    const { fields } = table.find(id)!
    assert.deepEqual(fields.map(({ name }) => name), Object.keys((input as { properties?: object }).properties ?? {})) // prettier-ignore
    const flags = fields.map(({ name }) => toFlagName(name))
    assert.equal(new Set(flags).size, flags.length, id)
    for (const flag of flags) assert.match(flag, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, id)
  }
})

test('required members are marked, and the example of each command has their flags', () => {
  for (const { id, input } of operationRegistry) {
    const entry = table.find(id)!
    const { required = [] } = input as { required?: string[] }
    assert.deepEqual(entry.fields.filter((field) => field.required).map(({ name }) => name).toSorted(), required.toSorted(), id) // prettier-ignore
    const example = printExample(entry)
    for (const name of required) assert.ok(example.includes(`--${toFlagName(name)} `), `${id}: ${example}`)
  }
})

test('the effect, the kind of response and the idempotency key are those of the contract', () => {
  for (const { id, effect, response_kind, idempotent, summary } of operationRegistry) {
    const entry = table.find(id)!
    assert.deepEqual([entry.effect, entry.response, entry.idempotent ?? false, entry.summary], [effect, response_kind, idempotent, summary]) // prettier-ignore
  }
})

test('flags read scalars, choices, lists and JSON as the schema says', () => {
  const kindOf = (id: string, name: string) => {
    const { kind, list, choices } = table.find(id)!.fields.find((field) => field.name === name)!
    return [kind, list ?? false, choices?.length ?? 0]
  }
  assert.deepEqual(kindOf('items.list', 'limit'), ['integer', false, 0])
  assert.deepEqual(kindOf('catalog.search', 'bbox'), ['number', true, 0])
  assert.deepEqual(kindOf('catalog.search', 'ids'), ['string', true, 0])
  assert.deepEqual(kindOf('catalog.search', 'intersects'), ['json', false, 0])
  assert.deepEqual(kindOf('uploads.initiate', 'transfer_method'), ['string', false, 3])
  assert.deepEqual(kindOf('orders.archive.place', 'dry_run'), ['boolean', false, 0])
  const { variants = {} } = table.find('sandbox.scenario.run')!.fields[0]!
  assert.deepEqual(variants['host.delay']!.filter(({ required }) => required).map(({ name }) => name), ['kind', 'seconds']) // prettier-ignore
})

test('no command beside the operations hides one of them', () => {
  const areas = new Set(table.ids.map((id) => toCommandWords(id)[0]))
  const shared = Object.keys(comfortSummaries).filter((name) => areas.has(name))
  // These two add to the commands of their area.
  assert.deepEqual(shared.toSorted(), ['sandbox', 'share'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchCommands, scoreLabel, type PaletteCommand } from './match-commands.ts'

const command = (id: string, group: PaletteCommand['group'], label: string): PaletteCommand => ({
  id,
  group,
  label,
  run: () => {},
})

test('a label matches only if it contains every word, whatever the case', () => {
  assert.equal(scoreLabel('Money Journal', ['journal', 'coin']), -1)
  assert.ok(scoreLabel('Money Journal', ['jour', 'money']) >= 0)
})

test('a word at the beginning of a word of the label comes before one in the middle', () => {
  const commands = [command('reorders', 'go', 'Preorders'), command('orders', 'go', 'Orders')]
  assert.deepEqual(
    matchCommands(commands, 'order', 5).map(({ id }) => id),
    ['orders', 'reorders'],
  )
  assert.ok(scoreLabel('orders.get', ['get']) < scoreLabel('orders.target', ['get']))
})

test('groups keep their order, and each is cut on its own', () => {
  const commands = [
    command('run-1', 'run', 'items.list'),
    command('run-2', 'run', 'items.get'),
    command('run-3', 'run', 'items.search'),
    command('go', 'go', 'Items'),
  ]
  assert.deepEqual(
    matchCommands(commands, 'items', 2).map(({ id }) => id),
    ['go', 'run-1', 'run-2'],
  )
})

test('without words everything matches, in the order of the list', () => {
  const commands = [command('b', 'go', 'B'), command('a', 'go', 'A')]
  assert.deepEqual(
    matchCommands(commands, '  ', 5).map(({ id }) => id),
    ['b', 'a'],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCycles, findReachable, buildSuccessors } from './graph.ts'

const graph = (text: string) => buildSuccessors(text.split(' ').map((edge) => edge.split('>') as [string, string]))

test('findCycles returns each cycle as a group and none for a chain or a diamond', () => {
  assert.deepEqual(findCycles(graph('a>b b>c c>d')), [])
  assert.deepEqual(findCycles(graph('a>b a>c b>d c>d')), [])
  assert.deepEqual(findCycles(graph('a>b b>c c>a c>d d>d')), [['d'], ['a', 'b', 'c']])
  assert.deepEqual(findCycles(graph('a>b b>a b>c c>d d>c')), [
    ['c', 'd'],
    ['a', 'b'],
  ])
})

test('findCycles returns one group for two cycles that share a node', () => {
  assert.deepEqual(findCycles(graph('a>b b>a b>c c>b')), [['a', 'b', 'c']])
})

test('findReachable includes the start nodes and terminates on cycles', () => {
  assert.deepEqual([...findReachable(['a'], graph('a>b b>a b>c x>y'))].sort(), ['a', 'b', 'c'])
})

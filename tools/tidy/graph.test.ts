import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCircles, reachableFrom, successorsOf } from './graph.ts'

const graph = (text: string) => successorsOf(text.split(' ').map((edge) => edge.split('>') as [string, string]))

test('circles are found as groups, and a chain or a diamond is none', () => {
  assert.deepEqual(findCircles(graph('a>b b>c c>d')), [])
  assert.deepEqual(findCircles(graph('a>b a>c b>d c>d')), [])
  assert.deepEqual(findCircles(graph('a>b b>c c>a c>d d>d')), [['d'], ['a', 'b', 'c']])
  assert.deepEqual(findCircles(graph('a>b b>a b>c c>d d>c')), [
    ['c', 'd'],
    ['a', 'b'],
  ])
})

test('two circles that share a node are one group', () => {
  assert.deepEqual(findCircles(graph('a>b b>a b>c c>b')), [['a', 'b', 'c']])
})

test('what can be reached includes the start and stops at circles', () => {
  assert.deepEqual([...reachableFrom(['a'], graph('a>b b>a b>c x>y'))].sort(), ['a', 'b', 'c'])
})

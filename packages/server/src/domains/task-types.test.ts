import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backgroundTaskTypes } from '../engine/task-types.ts'
import { backgroundTasks } from './domains.ts'

test('each task type is defined by exactly one module, and no module defines another', () => {
  const defined = backgroundTasks.map(({ name }) => name).toSorted()
  const declared = Object.values(backgroundTaskTypes)
    .map(({ name }) => name)
    .toSorted()
  assert.deepEqual(defined, declared)
})

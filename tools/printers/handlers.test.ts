import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printHandlers } from './handlers.ts'

test('the table of handlers has each operation file by its id, and no other file of a module', () => {
  const paths = [
    'webhooks/operations/webhooks.test.operation.ts',
    'webhooks/operations/webhooks.get.test.ts',
    'webhooks/operations/webhooks.get.ts',
    'webhooks/deliver.task.ts',
    'webhooks/store.events.ts',
    'webhooks/webhook.ts',
    'api_keys/operations/api_keys.create.ts',
    'handlers.ts',
  ]
  const lines = printHandlers(paths).split('\n')
  assert.deepEqual(
    lines.filter((line) => line.startsWith('import { handler ')),
    [
      "import { handler as apiKeysCreate } from './api_keys/operations/api_keys.create.ts'",
      "import { handler as webhooksGet } from './webhooks/operations/webhooks.get.ts'",
      "import { handler as webhooksTest } from './webhooks/operations/webhooks.test.operation.ts'",
    ],
  )
  assert.deepEqual(
    lines.filter((line) => line.startsWith('  [')),
    ["  ['api_keys.create', apiKeysCreate],", "  ['webhooks.get', webhooksGet],", "  ['webhooks.test', webhooksTest],"],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages, toPython, writeSample } from './call-samples.ts'

test('values of JSON are written as Python', () => {
  assert.equal(
    toPython({ a: true, b: null, c: [1, 'x"'] }),
    '{\n    "a": True,\n    "b": None,\n    "c": [1, "x\\""],\n}',
  )
  assert.equal(toPython({}), '{}')
})

test('every sample names the URL and the variable of the key, or has the key in it', () => {
  for (const language of languages) {
    const sample = writeSample(language, 'https://example.com', 'items.get', { item_id: 'x' }, null)
    assert.ok(sample.includes('https://example.com') && sample.includes('items.get'), language)
    assert.ok(sample.includes('SWATH_KEY'))
    assert.ok(writeSample(language, 'https://example.com', 'items.get', {}, 'sk_1').includes('sk_1'))
  }
})

test('a program of TypeScript calls the client, and a line of the shell the command line', () => {
  const call = ['https://example.com', 'orders.archive.place', { name: "a 'b'" }] as const
  assert.equal(
    writeSample('typescript', ...call, null)
      .split('\n')
      .slice(-3)
      .join('\n'),
    `console.log(await swath.orders.archive.place({\n  "name": "a 'b'"\n}))`,
  )
  assert.equal(
    writeSample('swath', ...call, 'sk_1'),
    "export SWATH_ADDRESS='https://example.com'\nexport SWATH_KEY='sk_1'\n" +
      String.raw`swath api orders.archive.place '{"name":"a '\''b'\''"}'`,
  )
})

test('a program of Python calls the package', () => {
  const sample = writeSample('python', 'https://example.com', 'items.list', { project_id: 'p', limit: 2 }, 'sk_1')
  assert.equal(
    sample,
    'from swath import Swath\n\nclient = Swath("https://example.com", key="sk_1")\n' +
      'print(client.items.list(\n    project_id="p",\n    limit=2,\n).first_page())',
  )
  assert.ok(writeSample('python', 'https://e.com', 'users.me', {}, null).endsWith('print(client.users.me())'))
  assert.ok(
    writeSample('python', 'https://e.com', 'events.stream', {}, null).endsWith(
      'for value in client.events.stream():\n    print(value)',
    ),
  )
  assert.ok(
    writeSample('python', 'https://e.com', 'stac.search', { 'filter-lang': 'cql2-json' }, null).endsWith(
      'print(client.call("stac.search", {\n    "filter-lang": "cql2-json",\n}))',
    ),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillBlocks, printTable } from './generated-blocks.ts'

const printers = { colours: () => 'red', shapes: () => 'round' }

test('a block is replaced, text around it and other blocks stay', () => {
  const page =
    'A\n<!-- generated: colours -->\nold\n<!-- end of colours -->\nB\n<!-- generated: shapes -->\n<!-- end of shapes -->\n'
  const { text, blocks } = fillBlocks('page.md', page, printers)
  assert.equal(
    text,
    'A\n<!-- generated: colours -->\n\nred\n\n<!-- end of colours -->\nB\n<!-- generated: shapes -->\n\nround\n\n<!-- end of shapes -->\n',
  )
  assert.deepEqual(blocks, ['colours', 'shapes'])
  assert.equal(fillBlocks('page.md', text, printers).text, text)
})

test('a block that nothing prints, and one without an end, are refused', () => {
  assert.throws(
    () => fillBlocks('page.md', '<!-- generated: sounds -->\n<!-- end of sounds -->', printers),
    /page\.md: nothing prints the block "sounds"/,
  )
  for (const page of ['<!-- generated: colours -->\n', '<!-- end of colours -->', '<!-- generated:  colours -->\n'])
    assert.throws(() => fillBlocks('page.md', page, printers), /no beginning or no end/)
})

test('a vertical bar in a cell does not end it', () => {
  assert.equal(printTable(['a', 'b'], [['x | y', 'z']]), '| a | b |\n| --- | --- |\n| x \\| y | z |')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coveredPixels, nearestSheetHeight, stepSheetHeight, tapSheetHeight, toSheetPixels } from './sheet.ts'

const available_px = 680

test('a sheet moves to the nearest of its heights when it is let go', () => {
  assert.equal(nearestSheetHeight(0, available_px), 'peek')
  assert.equal(nearestSheetHeight(210, available_px), 'peek')
  assert.equal(nearestSheetHeight(230, available_px), 'half')
  assert.equal(nearestSheetHeight(480, available_px), 'half')
  assert.equal(nearestSheetHeight(500, available_px), 'full')
})

test('the keyboard moves a sheet by one height, and not beyond the last', () => {
  assert.equal(stepSheetHeight('peek', 1), 'half')
  assert.equal(stepSheetHeight('full', 1), 'full')
  assert.equal(stepSheetHeight('half', -1), 'peek')
  assert.equal(stepSheetHeight('peek', -1), 'peek')
})

test('taps alternate between the middle and the top', () => {
  assert.equal(tapSheetHeight('peek'), 'half')
  assert.equal(tapSheetHeight('half'), 'full')
  assert.equal(tapSheetHeight('full'), 'half')
})

test('a low window keeps the heights in order', () => {
  for (const low_px of [680, 300, 150, 100]) {
    const [peek, half, full] = (['peek', 'half', 'full'] as const).map((height) => toSheetPixels(height, low_px))
    assert.ok(peek! <= half! && peek! <= full!, String(low_px))
  }
  assert.equal(coveredPixels('full', available_px), coveredPixels('half', available_px))
})

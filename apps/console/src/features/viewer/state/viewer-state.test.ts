import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyStyle, formatRanges, parseRanges } from './style.ts'
import { formatViewerState, parseViewerState, type ViewerState } from './viewer-state.ts'

const defaults = parseViewerState({ items: 'a,b' })

test('a URL with items only shows the first one as the platform renders it', () => {
  assert.deepEqual(defaults.items, ['a', 'b'])
  assert.deepEqual([defaults.shown, defaults.style, defaults.compare], [null, emptyStyle, 'off'])
  assert.deepEqual(formatViewerState(defaults), { items: 'a,b' })
})

test('a state is read from the URL as it was written', () => {
  const state: ViewerState = {
    ...defaults,
    shown: 'b',
    style: { ...emptyStyle, formula: '(nir-red)/(nir+red)', range: '-0.2,0.9', colormap: 'RdYlGn', gamma: '1.4' },
    opacity: 0.35,
    brightness: -0.2,
    compare: 'swipe',
    other: 'a',
    otherStyle: { ...emptyStyle, bands: '1' },
    split: 0.25,
    tab: 'measure',
    tool: 'line',
    point: [11.35, 46.5],
    line: [
      [11.3, 46.5],
      [11.4, 46.4],
    ],
    area: [],
    terrain: 'b',
    exaggeration: 3,
  }
  assert.deepEqual(parseViewerState(formatViewerState(state)), state)
})

test('a time-lapse keeps nothing of a pair', () => {
  const lapse: ViewerState = { ...defaults, compare: 'lapse', other: 'b', split: 0.2 }
  assert.deepEqual(formatViewerState(lapse), { items: 'a,b', compare: 'lapse' })
})

test('numbers that the router has parsed are read as text where text is meant', () => {
  assert.equal(parseViewerState({ items: 'a', bands: 1 }).style.bands, '1')
})

test('members that do not fit are left at their defaults', () => {
  const search = { items: 'a,a,b', show: 'c', opacity: 7, compare: 'x', at: '200,1', line: '1,2;x', terrain: 'c' }
  assert.deepEqual(parseViewerState(search), defaults)
})

test('ranges are written with six digits and read back; other texts are no ranges', () => {
  assert.equal(formatRanges([[0.123456789, 3000]]), '0.123457,3000')
  assert.deepEqual(parseRanges('0,1;-2,3.5'), [[0, 1], [-2, 3.5]]) // prettier-ignore
  for (const text of [null, '', '1', '1,x', '1,2,3']) assert.equal(parseRanges(text), null)
})

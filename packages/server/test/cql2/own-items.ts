import type { LayerItem } from './layers.ts'

const words = [
  'København',
  'kobenhavn',
  'KØBENHAVN',
  'Łódź',
  'lodz',
  'Straße',
  'STRASSE',
  'strasse',
  'Chișinău',
  'chisinau',
  'Zürich',
  'Zu\u0308rich',
  'Zurich',
  'São Paulo',
  'Sao Paulo',
  'Οδός',
  'ΟΔΟΣ',
  'οδος',
  'Москва',
  'МОСКВА',
  'Đà Nẵng',
  'Da Nang',
  '東京',
  '부산',
  'Ærø',
  'aero',
  '50%_off',
  '50 off',
  'back\\slash',
  '',
]

const cycle = <T>(list: readonly T[], index: number): T => list[index % list.length]!
const pad = (number: number): string => String(number).padStart(2, '0')

/** Numbers that a double represents exactly, and values that are not numbers. */
const numbers: readonly unknown[] = [0, 1, 2, 3, -4, 0.5, 2.25, 10, 100, null, '7', true, -0.75, 1024]
const others: readonly unknown[] = [2, 2, 0, -3, 0.5, 4, null, 10, 7, 'ten', 3, -1, 8]
const oddities: readonly unknown[] = [
  '2024-02-30',
  'tomorrow',
  20240301,
  '2024-13-01',
  null,
  ['2024-03-01'],
  '2024-02-29',
]

/** Items whose properties have values of every type, some absent, and texts in many scripts. */
export const ownItems: readonly LayerItem[] = Array.from({ length: 42 }, (_, index) => {
  const [month, day] = [1 + (index % 3), 1 + (index % 9)]
  const begins = `2024-${pad(month)}-${pad(day)}T${pad(index % 24)}:00:00Z`
  const ends = `2024-${pad(month + (index % 2))}-${pad(day + (index % 5))}T${pad(index % 24)}:30:00.250Z`
  const lasts = index % 4 === 0
  return {
    stac_id: `own-${pad(index)}`,
    name: `Item ${index}`,
    geometry: index % 6 === 0 ? null : { type: 'Point', coordinates: [index, index / 2] },
    datetime: lasts ? null : begins,
    start_datetime: lasts ? begins : null,
    end_datetime: lasts ? ends : null,
    cloud_cover: index % 5 === 0 ? null : index * 2.5,
    gsd: index % 3 === 0 ? 10 : 0.5,
    properties: {
      word: cycle(words, index),
      other: cycle(words, index * 7 + 1),
      a: cycle(numbers, index),
      b: cycle(others, index),
      ...(index % 7 === 0 ? {} : { c: index }),
      flag: cycle([true, false, null, 'true', 1], index),
      switch: cycle([false, true], index),
      day: cycle([`2024-${pad(month)}-${pad(day)}`, ...oddities.slice(0, 2)], index),
      odd: cycle(oddities, index),
      begins,
      ends: index % 8 === 0 ? null : ends,
      offset: `2024-${pad(month)}-${pad(day)}T${pad(index % 24)}:30:00+02:00`,
      list: cycle<unknown>([[1, 2, 3], [3, 2, 1, 1], ['a', 'b'], [], [true, null], 'a', null, [[1], [2, 3]]], index),
      nested: { deep: { number: index, text: cycle(words, index) } },
    },
  }
})

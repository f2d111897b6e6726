import type { FixtureItem } from './filter-fixtures.ts'

const sampleTexts = [
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

const itemAt = <T>(list: readonly T[], index: number): T => list[index % list.length]!
const padNumber = (number: number): string => String(number).padStart(2, '0')

/** Numbers that a double represents exactly, and values that are not numbers. */
const numbers: readonly unknown[] = [0, 1, 2, 3, -4, 0.5, 2.25, 10, 100, null, '7', true, -0.75, 1024]
const otherNumbers: readonly unknown[] = [2, 2, 0, -3, 0.5, 4, null, 10, 7, 'ten', 3, -1, 8]
const malformedDates: readonly unknown[] = [
  '2024-02-30',
  'tomorrow',
  20240301,
  '2024-13-01',
  null,
  ['2024-03-01'],
  '2024-02-29',
]

/** Items whose properties have values of every type, some absent, and texts in many scripts. */
export const ownItems: readonly FixtureItem[] = Array.from({ length: 42 }, (_, index) => {
  const [month, day] = [1 + (index % 3), 1 + (index % 9)]
  const start = `2024-${padNumber(month)}-${padNumber(day)}T${padNumber(index % 24)}:00:00Z`
  const end = `2024-${padNumber(month + (index % 2))}-${padNumber(day + (index % 5))}T${padNumber(index % 24)}:30:00.250Z`
  const hasInterval = index % 4 === 0
  return {
    stac_id: `own-${padNumber(index)}`,
    name: `Item ${index}`,
    geometry: index % 6 === 0 ? null : { type: 'Point', coordinates: [index, index / 2] },
    datetime: hasInterval ? null : start,
    start_datetime: hasInterval ? start : null,
    end_datetime: hasInterval ? end : null,
    cloud_cover: index % 5 === 0 ? null : index * 2.5,
    gsd: index % 3 === 0 ? 10 : 0.5,
    properties: {
      word: itemAt(sampleTexts, index),
      other: itemAt(sampleTexts, index * 7 + 1),
      a: itemAt(numbers, index),
      b: itemAt(otherNumbers, index),
      ...(index % 7 === 0 ? {} : { c: index }),
      flag: itemAt([true, false, null, 'true', 1], index),
      switch: itemAt([false, true], index),
      day: itemAt([`2024-${padNumber(month)}-${padNumber(day)}`, ...malformedDates.slice(0, 2)], index),
      odd: itemAt(malformedDates, index),
      begins: start,
      ends: index % 8 === 0 ? null : end,
      offset: `2024-${padNumber(month)}-${padNumber(day)}T${padNumber(index % 24)}:30:00+02:00`,
      list: itemAt<unknown>([[1, 2, 3], [3, 2, 1, 1], ['a', 'b'], [], [true, null], 'a', null, [[1], [2, 3]]], index),
      nested: { deep: { number: index, text: itemAt(sampleTexts, index) } },
    },
  }
})

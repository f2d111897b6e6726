import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

type Colours = ReadonlyMap<string, readonly [lightness: number, chroma: number, hue: number]>

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const hue = Number(/--hue: (\d+)/.exec(css)![1])

/** The colours that a block of the style sheet defines. */
function readColours(selector: string): Colours {
  const start = css.indexOf(`${selector} {`)
  assert.notEqual(start, -1, selector)
  const block = css.slice(start, css.indexOf('}', start))
  return new Map(
    [...block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([^)]+\)?)\);/g)].map(
      ([, name, lightness, chroma, angle]) => [
        name!,
        [Number(lightness), Number(chroma), angle!.startsWith('var(') ? hue : Number(angle)],
      ],
    ),
  )
}

/**
 * Relative luminance of WCAG 2.2 of a colour in OKLCH: to linear sRGB with the matrices of CSS Color 4, clipped to the
 * gamut, and weighted.
 */
function luminance([lightness, chroma, angle]: readonly [number, number, number]): number {
  const [a, b] = [chroma * Math.cos((angle * Math.PI) / 180), chroma * Math.sin((angle * Math.PI) / 180)]
  const long = (lightness + 0.3963377773761749 * a + 0.2158037573099136 * b) ** 3
  const medium = (lightness - 0.1055613458156586 * a - 0.0638541728258133 * b) ** 3
  const short = (lightness - 0.0894841775298119 * a - 1.2914855480194092 * b) ** 3
  const linear = [
    4.0767416360759574 * long - 3.3077115392580616 * medium + 0.2309699031821044 * short,
    -1.2684379732850317 * long + 2.6097573492876887 * medium - 0.3413193760026573 * short,
    -0.0041960761386756 * long - 0.7034186179359362 * medium + 1.7076146940746117 * short,
  ]
  const [red, green, blue] = linear.map((value) => Math.min(1, Math.max(0, value)))
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(colours: Colours, first: string, second: string): number {
  const [low, high] = [first, second]
    .map((name) => luminance(colours.get(name) ?? assert.fail(`no colour ${name}`)))
    .toSorted((left, right) => left - right)
  return (high! + 0.05) / (low! + 0.05)
}

const surfaces = ['surface', 'surface-raised', 'surface-sunken']
const textColours = ['text', 'text-muted', 'accent', 'good', 'warning', 'bad']

/** Minimum ratios of WCAG 2.2: 1.4.3 (text) and 1.4.11 (outlines of controls). */
const pairs: readonly (readonly [first: string, second: string, minimum: number])[] = [
  ...textColours.flatMap((text) => surfaces.map((surface) => [text, surface, 4.5] as const)),
  ['accent-text', 'accent-fill', 4.5],
  ...surfaces.map((surface) => ['control', surface, 3] as const),
]

const light = readColours(':root')
const themes: Readonly<Record<string, Colours>> = {
  light,
  dark: new Map([...light, ...readColours(":root[data-theme='dark']")]),
}

for (const [theme, colours] of Object.entries(themes)) {
  test(`texts and controls have enough contrast in the ${theme} theme`, () => {
    const tooLow = pairs
      .map(([first, second, minimum]) => ({ first, second, minimum, ratio: contrast(colours, first, second) }))
      .filter(({ ratio, minimum }) => ratio < minimum)
      .map(({ first, second, minimum, ratio }) => `${first} on ${second}: ${ratio.toFixed(2)}, not ${minimum}`)
    assert.deepEqual(tooLow, [])
  })
}

test('black on white has the ratio 21 that WCAG defines', () => {
  const colours: Colours = new Map([
    ['black', [0, 0, 0]],
    ['white', [1, 0, 0]],
  ])
  assert.equal(Math.round(contrast(colours, 'black', 'white') * 100) / 100, 21)
})

import { emptyStyle, formatStyle, parseStyle, type Style } from './style.ts'

export type Position = readonly [lon: number, lat: number]
export const viewerTabs = ['picture', 'measure', 'compare', 'share'] as const
export type ViewerTab = (typeof viewerTabs)[number]
export const measureTools = ['point', 'line', 'area'] as const
export type MeasureTool = (typeof measureTools)[number]
export const compareModes = ['off', 'swipe', 'blink', 'lapse'] as const
export type CompareMode = (typeof compareModes)[number]

/** True for what shows another item, or another picture, beside the shown one. */
export const isPairMode = (mode: CompareMode): boolean => mode === 'swipe' || mode === 'blink'

/** Everything of the viewer that a link keeps. */
export interface ViewerState {
  readonly items: readonly string[]
  /** The item that is shown; null is the first. */
  readonly shown: string | null
  readonly style: Style
  /** 0 to 1. */
  readonly opacity: number
  /** -1 to 1, of the rendered picture; 0 leaves it as it is. */
  readonly brightness: number
  readonly compare: CompareMode
  /** The item on the other side; null is the shown one. */
  readonly other: string | null
  readonly otherStyle: Style
  /** Position of the swipe: 0 is the left edge, 1 the right one. */
  readonly split: number
  readonly tab: ViewerTab
  readonly tool: MeasureTool
  readonly point: Position | null
  readonly line: readonly Position[]
  readonly area: readonly Position[]
  /** The item whose heights shape the terrain; null is flat. */
  readonly terrain: string | null
  readonly exaggeration: number
}

export const max_items = 40
const max_vertices = 100

type Search = Readonly<Record<string, unknown>>

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value =>
  values.find((candidate) => candidate === value) ?? values[0]!

const readText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null

function readNumber(value: unknown, fallback: number, min: number, max: number): number {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return number >= min && number <= max ? number : fallback
}

function readPositions(value: unknown): Position[] {
  const positions = (readText(value) ?? '').split(';').map((pair) => pair.split(',').map(Number))
  const isValid = positions.every(
    ([lon = Number.NaN, lat = Number.NaN, ...rest]) => rest.length === 0 && Math.abs(lon) <= 180 && Math.abs(lat) <= 90,
  )
  return isValid && positions.length <= max_vertices ? positions.map(([lon, lat]) => [lon!, lat!]) : []
}

/** Five decimals are a metre. */
const formatPositions = (positions: readonly Position[]): string =>
  positions.map(([lon, lat]) => `${Number(lon.toFixed(5))},${Number(lat.toFixed(5))}`).join(';')

/** Reads the state from a URL; what does not fit is left at its default. */
export function parseViewerState(search: Search): ViewerState {
  const items = [...new Set((readText(search['items']) ?? '').split(',').filter((id) => id !== ''))].slice(0, max_items)
  const member = (value: unknown): string | null => items.find((id) => id === value) ?? null
  return {
    items,
    shown: member(search['show']),
    style: parseStyle(search, ''),
    opacity: readNumber(search['opacity'], 1, 0, 1),
    brightness: readNumber(search['brightness'], 0, -1, 1),
    compare: oneOf(compareModes, search['compare']),
    other: member(search['with']),
    otherStyle: parseStyle(search, '2'),
    split: readNumber(search['split'], 0.5, 0, 1),
    tab: oneOf(viewerTabs, search['tab']),
    tool: oneOf(measureTools, search['tool']),
    point: readPositions(search['at'])[0] ?? null,
    line: readPositions(search['line']),
    area: readPositions(search['area']),
    terrain: member(search['terrain']),
    exaggeration: readNumber(search['height'], 1.5, 0.1, 20),
  }
}

/** The members of the URL; defaults are left out. */
export function formatViewerState(state: ViewerState): Record<string, string | number> {
  const { items, shown, opacity, brightness, compare, other, split, tab, tool, point, line, area, terrain, exaggeration } = state // prettier-ignore
  const isComparing = isPairMode(compare)
  const members: readonly (readonly [name: string, value: string | number | null, isDefault: boolean])[] = [
    ['items', items.join(','), items.length === 0],
    ['show', shown, shown === items[0]],
    ['opacity', Number(opacity.toFixed(2)), opacity === 1],
    ['brightness', Number(brightness.toFixed(2)), brightness === 0],
    ['compare', compare, compare === 'off'],
    ['with', other, !isComparing],
    ['split', Number(split.toFixed(3)), !isComparing || split === 0.5],
    ['tab', tab, tab === viewerTabs[0]],
    ['tool', tool, tool === measureTools[0]],
    ['at', point && formatPositions([point]), point === null],
    ['line', formatPositions(line), line.length === 0],
    ['area', formatPositions(area), area.length === 0],
    ['terrain', terrain, terrain === null],
    ['height', exaggeration, terrain === null],
  ]
  const kept = members.flatMap(([name, value, isDefault]) => (value === null || isDefault ? [] : [[name, value]]))
  return {
    ...(Object.fromEntries(kept) as Record<string, string | number>),
    ...formatStyle(state.style, ''),
    ...formatStyle(isComparing ? state.otherStyle : emptyStyle, '2'),
  }
}

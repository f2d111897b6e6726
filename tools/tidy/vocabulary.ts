/**
 * Words that the code base does not use, with the standard term that stands for each. The list may only grow: a word is added when
 * a review finds one that a reader from the field would not understand.
 */

export interface BannedWord {
  /** Singular, in lower case; its plural is banned with it. */
  readonly word: string
  readonly standard: string
  /** The folder that does not use the word, if others may. */
  readonly within?: string
  /** Phrases of the field in which the word is right. */
  readonly except?: readonly RegExp[]
}

export const bannedWords: readonly BannedWord[] = [
  { word: 'house', standard: 'application, app' },
  { word: 'room', standard: 'module; space on a disk; capacity' },
  { word: 'corridor', standard: 'registry' },
  {
    word: 'street',
    standard: 'tier',
    except: [
      /OpenStreetMap/i,
      /\d \w+ street\b/i,
      /^\s*'street',$/,
      /cbc:(Additional)?StreetName/,
      /'line2', 'street'\]/,
    ],
  },
  { word: 'door', standard: 'route, adapter' },
  { word: 'hall', standard: 'engine, pipeline' },
  { word: 'premises', standard: 'services' },
  { word: 'furnish', standard: 'configure, open' },
  {
    word: 'ground',
    standard: 'services, dependencies',
    except: [/ground.?sampl|ground control|ground metres|ground.?scale|ground.?track|on the ground/i],
  },
  { word: 'desk', standard: 'vector worker; payment processor' },
  { word: 'book', standard: 'ledger', except: [/book-keeping/] },
  { word: 'darkroom', standard: 'raster pool' },
  { word: 'till', standard: 'payments model; until' },
  { word: 'wish', standard: 'request, options' },
  { word: 'errand', standard: 'request, task' },
  { word: 'pile', standard: 'arena, stack' },
  { word: 'patience', standard: 'timeout' },
  { word: 'furthest', standard: 'max' },
  { word: 'fewest', standard: 'min' },
  { word: 'picture', standard: 'image', within: 'packages/', except: [/picture_url/] },
  { word: 'paint', standard: 'render, apply a style', within: 'packages/raster/' },
  { word: 'drawn', standard: 'rendered, resampled', within: 'packages/raster/' },
]

export interface RepeatedType {
  readonly name: string
  readonly reason: string
}

const geojsonReason = 'GeoJSON: the contract declares a schema, and `geo` depends on no other package'

/** Exported type names that stand for more than one type, each with the reason why that is right. */
export const repeatedTypes: readonly RepeatedType[] = [
  { name: 'Position', reason: geojsonReason },
  { name: 'Polygon', reason: geojsonReason },
  { name: 'MultiPolygon', reason: geojsonReason },
]

/** The heights of the panel on small screens, from the lowest. */
export const sheetHeights = ['peek', 'half', 'full'] as const
export type SheetHeight = (typeof sheetHeights)[number]

/** The handle and the title. */
const peek_px = 96
/** A strip of the map stays visible above the full sheet. */
const gap_px = 48

/** Pixels of a sheet height where the map and the sheet together have this height. */
export function toSheetPixels(height: SheetHeight, available_px: number): number {
  const full = Math.max(peek_px, available_px - gap_px)
  return { peek: Math.min(peek_px, full), half: Math.max(peek_px, Math.round(available_px / 2)), full }[height]
}

/** The height that a sheet of these pixels, let go, moves to. */
export function nearestSheetHeight(sheet_px: number, available_px: number): SheetHeight {
  const distance = (height: SheetHeight): number => Math.abs(toSheetPixels(height, available_px) - sheet_px)
  return sheetHeights.toSorted((left, right) => distance(left) - distance(right))[0]!
}

/** The height above (`1`) or below (`-1`); the highest and the lowest stay. */
export const stepSheetHeight = (height: SheetHeight, step: 1 | -1): SheetHeight =>
  sheetHeights[sheetHeights.indexOf(height) + step] ?? height

/** Returns the height after a tap on the handle: up, and from the top back to the middle. */
export const tapSheetHeight = (height: SheetHeight): SheetHeight => (height === 'half' ? 'full' : 'half')

/** Pixels at the lower edge of the map that are covered; a full sheet covers it as far as the half one, so that it rests. */
export const coveredPixels = (height: SheetHeight, available_px: number): number =>
  toSheetPixels(height === 'full' ? 'half' : height, available_px)

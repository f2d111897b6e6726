import type { Turns } from './compare/use-turns.ts'
import type { PictureRead } from './picture/use-picture.ts'
import type { ViewItem } from './state/view-item.ts'
import type { Viewer } from './use-viewer.ts'

/** The properties of every tab. */
export interface TabProps {
  readonly viewer: Viewer
  readonly items: readonly ViewItem[]
  readonly item: ViewItem
  readonly read: PictureRead
  /** The other side of a comparison. */
  readonly otherItem: ViewItem
  readonly otherRead: PictureRead
  /** Those of a time-lapse, oldest first. */
  readonly frames: readonly ViewItem[]
  /** The visible picture of a comparison or of a time-lapse. */
  readonly turns: Turns
}

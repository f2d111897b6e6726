import type { DragEvent } from 'react'

/** The type of dragged items, so that they are not mistaken for files or texts. */
const mediaType = 'application/x-swath-items'

export const startItemDrag = (event: DragEvent, ids: readonly string[]): void => {
  event.dataTransfer.setData(mediaType, ids.join(' '))
  event.dataTransfer.effectAllowed = 'move'
}

/** True for items of the library; which ones can be read only when they are dropped. */
export const isItemDrag = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(mediaType)

export const isFileDrag = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')

export const readItemDrag = ({ dataTransfer }: DragEvent): string[] =>
  dataTransfer.getData(mediaType).split(' ').filter(Boolean)

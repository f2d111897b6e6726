import type { Map as MapLibreMap } from 'maplibre-gl'

/** The map as it is shown, with the other side of a comparison, as PNG. Legends and controls are not in it. */
export async function captureMap(map: MapLibreMap): Promise<Blob> {
  const copy = document.createElement('canvas')
  await copyMap(map, copy)
  return new Promise((resolve, reject) =>
    copy.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the map cannot be copied')))),
  )
}

/** Copies the shown map to a canvas, which gets its size. */
export const copyMap = (map: MapLibreMap, copy: HTMLCanvasElement): Promise<void> =>
  new Promise((resolve) => {
    // The pixels can be read only while the frame is drawn.
    void map.once('render', () => {
      drawCanvases(map, copy)
      resolve()
    })
    map.triggerRepaint()
  })

function drawCanvases(map: MapLibreMap, copy: HTMLCanvasElement): void {
  const canvas = map.getCanvas()
  if (copy.width !== canvas.width) copy.width = canvas.width
  if (copy.height !== canvas.height) copy.height = canvas.height
  const context = copy.getContext('2d')!
  context.drawImage(canvas, 0, 0)
  const second = map.getContainer().querySelector<HTMLElement>('[data-swipe]')
  const other = second?.querySelector('canvas')
  if (!second || !other) return
  const left = Math.round(Number(second.dataset['swipe']) * copy.width)
  const width = copy.width - left
  if (width > 0) context.drawImage(other, left, 0, width, other.height, left, 0, width, copy.height)
}

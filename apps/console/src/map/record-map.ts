import type { Map as MapLibreMap } from 'maplibre-gl'
import { copyMap } from './capture-map.ts'

/** One frame of a video: a function that shows it on the map, and its label. */
export interface VideoFrame {
  readonly label: string
  readonly show: () => void
}

const frame_ms = 1000
const redraw_ms = 100
const load_timeout_ms = 15_000
/** Video formats of browsers; the first one that this browser supports is recorded. */
const formats = [
  { type: 'video/mp4', extension: 'mp4' },
  { type: 'video/webm', extension: 'webm' },
] as const

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves when everything that the map shows is loaded, or after some seconds. */
const waitUntilIdle = (map: MapLibreMap): Promise<unknown> => Promise.race([map.once('idle'), pause(load_timeout_ms)])

/**
 * Records frames of the map as a video, a second each, in the size of the map on the screen.
 *
 * @param signal ends the recording; then it fails with the reason of the signal.
 */
export async function recordMap(
  map: MapLibreMap,
  frames: readonly VideoFrame[],
  signal: AbortSignal,
): Promise<{ readonly video: Blob; readonly extension: string }> {
  const format = formats.find(({ type }) => MediaRecorder.isTypeSupported(type))
  if (!format) throw new Error('this browser records no video')
  const canvas = document.createElement('canvas')
  await copyMap(map, canvas)
  const parts: Blob[] = []
  const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: format.type, videoBitsPerSecond: 8_000_000 })
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const stopped = new Promise<void>((resolve) => (recorder.onstop = () => resolve()))
  recorder.start()
  recorder.pause()
  try {
    for (const { label, show } of frames) {
      signal.throwIfAborted()
      show()
      map.triggerRepaint()
      await waitUntilIdle(map)
      await copyMap(map, canvas)
      writeLabel(canvas, label)
      recorder.resume()
      await holdFrame(canvas)
      recorder.pause()
    }
  } finally {
    recorder.stop()
    await stopped
  }
  const video = new Blob(parts, { type: format.type })
  if (video.size === 0) throw new Error('the browser recorded nothing')
  return { video, extension: format.extension }
}

/** Draws a frame again until its second is over: a stream has only what is drawn while the recorder runs. */
async function holdFrame(canvas: HTMLCanvasElement): Promise<void> {
  const context = canvas.getContext('2d')!
  for (let shown_ms = 0; shown_ms < frame_ms; shown_ms += redraw_ms) {
    context.drawImage(canvas, 0, 0)
    await pause(redraw_ms)
  }
}

/** Light on dark, so that it can be read on any picture. */
function writeLabel(canvas: HTMLCanvasElement, label: string): void {
  const context = canvas.getContext('2d')!
  const size = Math.max(16, Math.round(canvas.height / 32))
  context.font = `600 ${size}px system-ui, sans-serif`
  const width = context.measureText(label).width
  context.fillStyle = 'rgb(0 0 0 / 60%)'
  context.fillRect(size / 2, size / 2, width + size, size * 1.6)
  context.fillStyle = 'white'
  context.fillText(label, size, size * 1.6)
}

import type { ToRepresentation } from './representation.ts'

/** 302 to the `url` of the output. The URL is signed for one caller and expires soon: it must not be cached. */
export const toRedirect: ToRepresentation = (result) => {
  const output: unknown = result.kind === 'json' ? result.output : null
  const url = typeof output === 'object' && output !== null && 'url' in output ? output.url : null
  if (typeof url !== 'string') throw new Error(`${result.operation.id} returned no URL to redirect to`)
  return { status: 302, media_type: null, headers: { location: url, 'cache-control': 'no-store' }, body: null }
}

import type { Shape } from './shaped.ts'

/** 302 to the `url` of the output. The URL is signed for one caller and expires soon: it must not be cached. */
export const redirect: Shape = (outcome) => {
  const output: unknown = outcome.form === 'json' ? outcome.output : null
  const url = typeof output === 'object' && output !== null && 'url' in output ? output.url : null
  if (typeof url !== 'string') throw new Error(`${outcome.operation.id} returned no URL to redirect to`)
  return { status: 302, media_type: null, headers: { location: url, 'cache-control': 'no-store' }, body: null }
}

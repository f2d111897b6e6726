import type { Shape } from './shaped.ts'

/** 302 to the `url` of the answer. The address is signed for one caller and soon expires: nobody may keep it. */
export const redirect: Shape = (outcome) => {
  const output: unknown = outcome.form === 'json' ? outcome.output : null
  const url = typeof output === 'object' && output !== null && 'url' in output ? output.url : null
  if (typeof url !== 'string') throw new Error(`${outcome.operation.id} answers no address to go to`)
  return { status: 302, media_type: null, headers: { location: url, 'cache-control': 'no-store' }, body: null }
}

// Words in comments count for nothing: process.env, Date.now(), fetch(url).
const spoken = 'Math.random() and process.env in a string'
const pattern = /fetch\(/
export const place = (call: { now: Date; across: unknown; fetch: (url: string) => void }) => {
  call.fetch('handed over')
  return [spoken, pattern, `${process.env['PORT']} fetch(`, Date.now(), new Date(), new Date(0), Math.random(), fetch('x')]
}
export const sweep = (call: { across: unknown }) => call.across
export const sweepAgain = (call: { across: unknown }) => {
  const { across } = call
  return across
}
/* @todo one day */
/* @todo #12 when the writer is there */
export const speak = () => console.log('hello')
export const isLate = (call: { clocks: { process: { now: () => unknown } } }) => call.clocks.process.now()

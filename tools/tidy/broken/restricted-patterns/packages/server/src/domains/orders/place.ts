// Patterns in comments do not count: process.env, Date.now(), fetch(url).
const spoken = 'Math.random() and process.env in a string'
const pattern = /fetch\(/
export const place = (call: { now: Date; unscoped: unknown; fetch: (url: string) => void }) => {
  call.fetch('handed over')
  return [spoken, pattern, `${process.env['PORT']} fetch(`, Date.now(), new Date(), new Date(0), Math.random(), fetch('x')]
}
export const sweep = (call: { unscoped: unknown }) => call.unscoped
export const sweepAgain = (call: { unscoped: unknown }) => {
  const { unscoped } = call
  return unscoped
}
/* @todo one day */
/* @todo #12 when the writer is there */
export const speak = () => console.log('hello')
export const isLate = (call: { clocks: { process: { now: () => unknown } } }) => call.clocks.process.now()

// Runs in the page before its own scripts: notes long tasks, and when the first card of the list is there.
const notes = { longTasks: [], firstCard: 0 }
globalThis.notes = notes
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) notes.longTasks.push(duration)
}).observe({ type: 'longtask' })
new MutationObserver(() => {
  if (notes.firstCard === 0 && document.querySelector('main li[data-scene]')) notes.firstCard = performance.now()
}).observe(document, { childList: true, subtree: true })

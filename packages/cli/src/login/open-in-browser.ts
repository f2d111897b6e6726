/** Opens a URL in the browser of the system; where there is none, nothing happens, since the URL was printed. */
export async function openInBrowser(url: string): Promise<void> {
  const { default: open } = await import('open')
  const child = await open(url).catch(() => null)
  child?.on('error', () => undefined)
}

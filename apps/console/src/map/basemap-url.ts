/** The style that the operator has set instead of the base map of the build; null for none, and where no server filled it in. */
export function readBasemapUrl(): string | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name="basemap"]')?.content ?? ''
  return /^https?:/.test(content) ? content : null
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { usePlatform } from './platform.tsx'

/** Pictures do not change; they are cached for the visit. */
const kept_ms = 10 * 60_000

/** The picture at a URL of the platform as a local URL, since an `<img>` cannot send a token. */
export function useImage(path: string | null): { url: string | null; isMissing: boolean } {
  const { client } = usePlatform()
  const image = useQuery({
    queryKey: ['image', path],
    queryFn: async ({ signal }) => {
      const response = await client.fetch(path!, { signal, headers: { accept: 'image/*' } })
      if (!response.ok) throw new Error(`${response.status}`)
      return response.blob()
    },
    enabled: path !== null,
    staleTime: Infinity,
    gcTime: kept_ms,
    retry: false,
  })
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!image.data) return
    const created = URL.createObjectURL(image.data)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [image.data])
  return { url: image.data ? url : null, isMissing: image.isError }
}

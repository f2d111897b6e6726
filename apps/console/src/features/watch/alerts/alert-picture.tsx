import { ImageOff } from 'lucide-react'
import { useImage } from '../../../api/use-image.ts'
import { texts } from '../../../texts.ts'
import styles from '../watch.module.css'

/** The path of a picture that the event names by the URL of the platform: the page may have been opened at another one. */
function toPath(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return `${pathname}${search}`
}

/** A picture of an item as wide as its column. */
export function AlertPicture({ url, alt }: { url: string; alt: string }) {
  const image = useImage(toPath(url))
  return (
    <span className={styles['picture']}>
      {image.url && <img src={image.url} alt={alt} />}
      {image.isMissing && <ImageOff size={16} aria-label={texts.ui.noImage} />}
    </span>
  )
}

import '../crs/keys.ts'
import '../../io/range.ts'

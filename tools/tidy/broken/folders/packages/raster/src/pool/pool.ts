import '../index.ts'
import '../io/range.ts'

import com.helger.diver.api.coord.DVRCoordinate;
import com.helger.io.resource.FileSystemResource;
import com.helger.phive.api.execute.ValidationExecutionManager;
import com.helger.phive.api.executorset.ValidationExecutorSetRegistry;
import com.helger.phive.api.validity.IValidityDeterminator;
import com.helger.phive.en16931.EN16931Validation;
import com.helger.phive.peppol.PeppolValidationPintAUNZ;
import com.helger.phive.xml.source.IValidationSourceXML;
import com.helger.phive.xml.source.ValidationSourceXML;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Validates UBL files with the Schematron rules of the specification that each follows: files …; exits with 1 if one is invalid. */
public class ValidateInvoices {
  public static void main(String[] files) throws Exception {
    var registry = new ValidationExecutorSetRegistry<IValidationSourceXML>();
    EN16931Validation.initEN16931(registry);
    PeppolValidationPintAUNZ.init(registry);
    boolean isInvalid = false;
    for (String file : files) {
      String text = Files.readString(Path.of(file));
      DVRCoordinate rules = selectRules(text.contains("urn:peppol:pint"), text.contains("<CreditNote "));
      var result = ValidationExecutionManager.executeValidation(
          IValidityDeterminator.createDefault(), registry.getOfID(rules),
          ValidationSourceXML.create(new FileSystemResource(file)));
      System.out.println(Path.of(file).getFileName() + ", " + rules.getAsSingleID() + ": "
          + (result.containsNoError() ? "valid" : "invalid"));
      result.getAllErrors().forEach(error -> System.out.println("  " + error.getAsString(Locale.ENGLISH)));
      isInvalid |= !result.containsNoError();
    }
    System.exit(isInvalid ? 1 : 0);
  }

  private static DVRCoordinate selectRules(boolean isPint, boolean isCredit) {
    if (isPint) {
      return isCredit ? PeppolValidationPintAUNZ.VID_OPENPEPPOL_AUNZ_PINT_UBL_CREDIT_NOTE_1_1_2
          : PeppolValidationPintAUNZ.VID_OPENPEPPOL_AUNZ_PINT_UBL_INVOICE_1_1_2;
    }
    return isCredit ? EN16931Validation.VID_UBL_CREDIT_NOTE_1315 : EN16931Validation.VID_UBL_INVOICE_1315;
  }
}
